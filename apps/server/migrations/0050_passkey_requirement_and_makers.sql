-- The time since which every member needs a passkey; null when it is not required.
alter table merchants add column passkey_since timestamptz;

-- The person who made the endpoint in the dashboard; null for one that a key or an earlier version made.
alter table webhook_endpoints add column created_by uuid;
