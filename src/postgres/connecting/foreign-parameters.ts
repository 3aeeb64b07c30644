/**
 * Parameters that libpq, drivers, ORMs and hosters know and Keyroster doesn't. A message may repeat these names: no other one,
 * as it may be a part of a password.
 */
const FOREIGN = {
  libpq: `hostaddr passfile require_auth client_encoding fallback_application_name keepalives keepalives_idle
    keepalives_interval keepalives_count tcp_user_timeout replication gssencmode requiressl sslcompression sslpassword
    sslcertmode sslcrl sslcrldir sslsni sslkeylogfile requirepeer ssl_min_protocol_version ssl_max_protocol_version
    min_protocol_version max_protocol_version krbsrvname gsslib gssdelegation scram_client_key scram_server_key service
    servicefile load_balance_hosts oauth_issuer oauth_client_id oauth_client_secret oauth_scope`,
  settings: `search_path statement_timeout lock_timeout idle_in_transaction_session_timeout timezone work_mem role`,
  drivers: `schema currentSchema pgbouncer connection_limit pool_timeout socket_timeout statement_cache_size sslaccept
    sslidentity sslinline max_connection_lifetime max_idle_connection_lifetime uselibpqcompat query_timeout encoding
    prepareThreshold preparedStatementCacheQueries loginTimeout socketTimeout tcpKeepAlive targetServerType binary_parameters
    prepared_statements prepare_threshold statement_cache_capacity default_query_exec_mode pool_size pool_mode
    pool_max_conns pool_min_conns pool_max_conn_lifetime pool_max_conn_idle_time`,
  hosters: 'supa workaround endpoint project cluster reference',
};

export const FOREIGN_PARAMETERS: readonly string[] = Object.values(FOREIGN).flatMap(names =>
  names.split(/\s+/),
);
