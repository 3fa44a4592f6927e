CREATE TABLE supplier (
  s_suppkey   BIGINT        NOT NULL,
  s_name      VARCHAR(25)   NOT NULL,
  s_address   VARCHAR(40)   NOT NULL,
  s_nationkey INTEGER       NOT NULL,
  s_phone     VARCHAR(15)   NOT NULL,
  s_acctbal   DECIMAL(15,2) NOT NULL,
  s_comment   VARCHAR(101)  NOT NULL,
  PRIMARY KEY (s_suppkey)
)
