CREATE TABLE part (
  p_partkey     BIGINT        NOT NULL,
  p_name        VARCHAR(55)   NOT NULL,
  p_mfgr        VARCHAR(25)   NOT NULL,
  p_brand       VARCHAR(10)   NOT NULL,
  p_type        VARCHAR(25)   NOT NULL,
  p_size        INTEGER       NOT NULL,
  p_container   VARCHAR(10)   NOT NULL,
  p_retailprice DECIMAL(15,2) NOT NULL,
  p_comment     VARCHAR(23)   NOT NULL,
  PRIMARY KEY (p_partkey)
)
