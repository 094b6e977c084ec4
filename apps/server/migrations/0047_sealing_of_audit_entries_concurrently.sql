drop index concurrently if exists audit_log_sealing;
-- The order in which entries are sealed and verified.
create index concurrently audit_log_sealing on audit_log ((coalesce(position, 0)), id);
