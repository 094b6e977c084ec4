-- The functions that all modules use, and the tables of the platform.

-- The time by which deadlines, leases and windows are decided: the database's clock, to the millisecond, as the gateway reads times. A
-- session of a test, or of a program that fills a demonstration, sets muripo.now to a time of its own. A gateway never sets it, and
-- refuses to start where it is set.
create function muripo_now() returns timestamptz language sql stable parallel safe
  return coalesce(nullif(current_setting('muripo.now', true), '')::timestamptz, date_trunc('milliseconds', statement_timestamp()));

-- The creation time of a UUIDv7: in milliseconds since 1970, as a time, and in whole days since 1970.
create function id_ms(id uuid) returns bigint language sql immutable strict parallel safe
  return ('x' || encode(substring(uuid_send(id) for 6), 'hex'))::bit(48)::bigint;
create function id_time(id uuid) returns timestamptz language sql immutable strict parallel safe
  return to_timestamp(id_ms(id) / 1000::float8);
create function id_day(id uuid) returns integer language sql immutable strict parallel safe
  return (id_ms(id) / 86400000)::integer;

-- The number that is added to transaction ids, so that positions grow also after a dump is restored in a server whose ids are lower.
create table transaction_position_base (
  is_only boolean primary key default true check (is_only),
  base    bigint  not null check (base >= 0)
);
insert into transaction_position_base (base) values (0);

-- The position of what this transaction writes among the writes of all transactions.
create function transaction_position() returns bigint language sql as $$
  select base + pg_current_xact_id()::text::bigint from transaction_position_base
$$;

-- Invariant: no row below this position becomes visible any more, because all transactions below it have ended.
create function transaction_horizon() returns bigint language sql stable as $$
  select base + pg_snapshot_xmin(pg_current_snapshot())::text::bigint from transaction_position_base
$$;

-- A table is append-only when a trigger of it calls this function on each change. The serving role then lacks the right to change it too.
create function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception '% is append-only: % refused', tg_table_name, tg_op using errcode = 'restrict_violation';
end $$;

-- The mode of this database, simulated or real money. The first start writes it, and a gateway of the other mode refuses to start here.
create table deployment (
  is_only boolean primary key default true check (is_only),
  mode    text    not null check (mode in ('test', 'live'))
);
create trigger deployment_append_only before update or delete on deployment for each row execute function refuse_change();

-- The id of the master key in an encrypted value; null for a value without one.
create function encryption_key_id(encrypted bytea) returns text language sql immutable parallel safe
  return case when get_byte(encrypted, 0) = 2 then encode(substring(encrypted from 2 for 8), 'hex') end;

-- The secret from which everything is derived that must stay the same: signatures, links, and the hashes by which rows are found. It is
-- encrypted under a master key, the active one, under which the gateway encrypts all new values.
--
-- Invariant: the root secret stays the same for ever; a change of the row encrypts it under another master key. No process runs without
-- the active master key: a process that starts names its master keys by locks and then waits for this row, and a master key becomes
-- active, with this row locked, only when every running process has it.
--
-- A row without content means that the master key of the next start becomes the root secret.
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

-- The remaining quota of each caller under each limit, shared by all processes. A row is one window; the first use opens it. The key is a
-- keyed hash, so that a row reveals no address and no account.
create table rate_limits (
  key       bytea       primary key check (length(key) = 32),
  used      integer     not null,
  quota     integer     not null,
  resets_at timestamptz not null,
  constraint rate_limits_used_within_quota check (used between 0 and quota)
);
create index rate_limits_resets_at on rate_limits (resets_at);

-- The audit log: actor, action, subject, time and origin. The transaction of the action writes the row, and the row never changes.
-- account_id has no foreign key, because the log outlives the environments that it names.
create table audit_log (
  id          uuid        primary key,
  at          timestamptz not null,
  actor_kind  text        not null check (actor_kind in ('merchant', 'operator', 'visitor', 'system')),
  actor       text        not null check (length(actor) between 1 and 100),
  credential  text        check (length(credential) between 1 and 100),
  account_id  uuid,
  action      text        not null check (action ~ '^[a-z_]+\.[a-z_]+$'),
  subject     text        not null check (length(subject) between 1 and 100),
  address     text,
  request_id  text,
  details     jsonb       not null check (jsonb_typeof(details) = 'object')
);
comment on column audit_log.credential is 'The id of the application key or session of the request; null for everybody else';
comment on column audit_log.account_id is 'The merchant or test environment that the action concerns; null when it concerns none';
create index audit_log_by_account on audit_log (account_id, id);
create index audit_log_by_subject on audit_log (subject, id);
create trigger audit_log_append_only before update or delete on audit_log
  for each row execute function refuse_change();
create trigger audit_log_no_truncate before truncate on audit_log
  for each statement execute function refuse_change();
