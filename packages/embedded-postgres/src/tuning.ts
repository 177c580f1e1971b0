/** `full` preserves every commit through a power failure. `none` is for databases of a test run. */
export type Durability = 'full' | 'none';

/** Settings of the embedded server, for a machine with two cores that also runs the daemon. */
export function serverSettings(port: number, durability: Durability): Record<string, string> {
  return {
    listen_addresses: '127.0.0.1',
    port: String(port),
    // Disables socket files, because every account may write to their folder.
    unix_socket_directories: '',
    timezone: 'UTC',
    log_timezone: 'UTC',
    max_connections: '100',
    shared_buffers: '256MB',
    effective_cache_size: '1GB',
    work_mem: '16MB',
    maintenance_work_mem: '128MB',
    random_page_cost: '1.1',
    jit: 'off',
    // Imports write gigabytes at once. These settings reduce checkpoints and disable replication records.
    wal_level: 'minimal',
    max_wal_senders: '0',
    wal_compression: 'on',
    wal_buffers: '16MB',
    min_wal_size: '256MB',
    max_wal_size: '4GB',
    checkpoint_timeout: '15min',
    ...durabilitySettings(durability),
    // Ends a killed daemon's statement instead of keeping its locks until it finishes.
    ...(process.platform === 'linux' ? { client_connection_check_interval: '5s' } : {}),
    // Keeps details and statements of errors, which may contain health values, out of the log.
    log_error_verbosity: 'terse',
    log_min_error_statement: 'panic',
    log_checkpoints: 'off',
    log_line_prefix: '%m [%p] ',
  };
}

function durabilitySettings(durability: Durability): Record<string, string> {
  if (durability === 'none') {
    // Allows many connections, because test files that run in parallel share the server.
    return { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', max_connections: '400' };
  }
  return { fsync: 'on', synchronous_commit: 'on', full_page_writes: 'on' };
}
