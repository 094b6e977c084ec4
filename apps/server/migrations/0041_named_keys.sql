-- Beside the key of each mode, an application has named keys: each with permissions of its own, an end, and the networks from which it may be
-- used. The text of a named key is shown once and not stored. A permission is never added to an existing key.
alter table application_keys add column name text;
alter table application_keys add column permissions text[];
alter table application_keys add column expires_at timestamptz;
alter table application_keys add column allowed_addresses text[];
alter table application_keys add column last_used_at timestamptz;
alter table application_keys add column last_used_address text;
alter table application_keys add column created_by uuid;
alter table application_keys add column expiry_notice smallint;
comment on column application_keys.name is 'Null for the key of an application that the dashboard shows in full';
comment on column application_keys.permissions is 'Null for all';
comment on column application_keys.allowed_addresses is 'Addresses and networks; null for any';
comment on column application_keys.created_by is 'The person who made a named key';
comment on column application_keys.expiry_notice is 'The days before its end of the last email about it';
comment on column application_keys.last_used_at is 'Of a named key, to the minute';

alter table application_keys drop constraint application_keys_active_is_encrypted;
alter table application_keys add constraint application_keys_own_is_encrypted
  check (revoked_at is not null or name is not null or encrypted is not null) not valid;
alter table application_keys add constraint application_keys_named check (
  (name is null) = (permissions is null) and length(name) between 1 and 60 and cardinality(permissions) between 1 and 20
  and cardinality(allowed_addresses) between 1 and 20
) not valid;

-- Invariant: the permissions of a key never change, and its end is never later.
create function application_keys_guard_grant() returns trigger language plpgsql as $$
begin
  if new.permissions is distinct from old.permissions or new.expires_at is null
    or new.expires_at > old.expires_at then
    raise exception 'the grant of key % does not grow', old.id using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
create trigger application_keys_guard_grant before update on application_keys
  for each row when (old.permissions is distinct from new.permissions or old.expires_at is distinct from new.expires_at)
  execute function application_keys_guard_grant();
