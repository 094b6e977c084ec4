-- Invariant: an application has one active key of its own in each mode, beside its named keys.
drop index concurrently if exists application_keys_one_own;
create unique index concurrently application_keys_one_own on application_keys (account_id, application_id, mode)
  where revoked_at is null and name is null;
drop index concurrently if exists application_keys_one_active;
