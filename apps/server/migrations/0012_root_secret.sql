-- The id of the master key in an encrypted value; null for a value without one, as the versions before this file wrote all.
create function encryption_key_id(encrypted bytea) returns text language sql immutable parallel safe
  return case when get_byte(encrypted, 0) = 2 then encode(substring(encrypted from 2 for 8), 'hex') end;

-- The secret from which everything is derived that must stay the same: signatures, links, and the hashes by which rows are found. It is
-- encrypted under a master key, the active one, under which the gateway encrypts all new values.
--
-- Invariant: the root secret stays the same for ever; a change of the row encrypts it under another master key. No process runs without
-- the active master key: a process that starts names its master keys by locks and then waits for this row, and a master key becomes
-- active, with this row locked, only when every running process has it.
--
-- A database that has served already has a row without content: its root secret is the master key of its next start.
create table root_secret (
  is_only      boolean primary key default true check (is_only),
  encrypted    bytea   check (encrypted is null or encryption_key_id(encrypted) is not null),
  first_key_id text    check (first_key_id ~ '^[0-9a-f]{16}$')
);
comment on column root_secret.first_key_id is 'The master key of values without an id; null when no value can lack one';
create function root_secret_guard_content() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' or (old.encrypted is not null
    and (new.encrypted is null or new.first_key_id is distinct from old.first_key_id)) then
    raise exception 'the root secret stays' using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
create trigger root_secret_guard_content before update or delete on root_secret for each row execute function root_secret_guard_content();
create trigger root_secret_no_truncate before truncate on root_secret for each statement execute function refuse_change();
insert into root_secret (encrypted) select null where exists (select from deployment);

-- The file of a document is replaced by one that is encrypted under another master key.
--
-- Invariant: every file that exists is named by a row. The name of the replacement is committed before the replacement is written, and the
-- name of the replaced file stays until that file is removed.
alter table documents add column key_id text;
comment on column documents.key_id is 'The master key under which the file is encrypted; null for a file without an id';
alter table documents add column spare_key text;
comment on column documents.spare_key is 'The name of a replacement that is not complete, or of a replaced file';

-- Settings are encrypted again, without another version, under another master key.
create or replace function provider_accounts_guard() returns trigger language plpgsql as $$
begin
  if new.version = old.version and new.settings is not null
    and encryption_key_id(new.settings) is distinct from encryption_key_id(old.settings) then
    return new;
  end if;
  if new.version < old.version or (new.settings is distinct from old.settings) <> (new.version > old.version) then
    raise exception 'the version of a provider account rises with its settings, and only with them'
      using errcode = 'restrict_violation', constraint = 'provider_accounts_version_rises';
  end if;
  return new;
end $$;
