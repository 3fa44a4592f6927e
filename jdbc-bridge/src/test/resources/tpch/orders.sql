CREATE TABLE orders (
  o_orderkey      BIGINT        NOT NULL,
  o_custkey       BIGINT        NOT NULL,
  o_orderstatus   CHAR(1)       NOT NULL,
  o_totalprice    DECIMAL(15,2) NOT NULL,
  o_orderdate     DATE          NOT NULL,
  o_orderpriority VARCHAR(15)   NOT NULL,
  o_clerk         VARCHAR(15)   NOT NULL,
  o_shippriority  INTEGER       NOT NULL,
  o_comment       VARCHAR(79)   NOT NULL,
  PRIMARY KEY (o_orderkey)
)
