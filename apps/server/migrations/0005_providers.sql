-- The inbox of provider callbacks: each request is stored as it came, before it is interpreted.
--
-- Invariant: the same body about the same charge or refund is one row, however often it comes. A copy is counted. A copy that comes a minute
-- or more after the row was processed opens the row again: by then it may report a change.
--
-- A callback that cannot be processed is retried after a pause, behind the rows that have waited longer, by one process at a time.
-- unanswered: the provider could not be asked for as long as its answer may change, so an operator has to ask.
create table provider_callbacks (
  id               uuid        primary key,
  provider         text        not null,
  token            text        not null,
  headers          jsonb       not null,
  body             bytea       not null,
  body_sha256      bytea       not null generated always as (sha256(body)) stored,
  copies           integer     not null default 1 check (copies >= 1),
  received_at      timestamptz not null,
  last_received_at timestamptz,
  next_attempt_at      timestamptz not null,
  processed_at     timestamptz,
  result           text        check (result in ('applied', 'unmatched', 'unanswered')),
  constraint provider_callbacks_processed_with_result check ((processed_at is null) = (result is null)),
  constraint provider_callbacks_received_in_order check (last_received_at >= received_at)
);
create unique index provider_callbacks_inbox on provider_callbacks (provider, token, body_sha256);
create index provider_callbacks_waiting on provider_callbacks (next_attempt_at) where processed_at is null;

-- A callback whose token the gateway never issued leaves no row, so that nobody can fill the disk. Such callbacks are counted by day.
create table provider_callback_refusals (
  provider text   not null,
  day      date   not null,
  count    bigint not null check (count > 0),
  primary key (provider, day)
);

-- Accounts at providers that operators set while the gateway runs. `settings` are the variables of the account as JSON, encrypted under a key
-- that is derived from the master key, with id and version authenticated. Without settings, the row disables the environment's account of
-- the same name.
--
-- Invariant: a row is never deleted, and its version rises with each change of the settings: attempts name the account for ever.
create table provider_accounts (
  id          text        primary key check (id ~ '^[a-z][a-z0-9-]{0,39}$'),
  version     integer     not null check (version >= 0),
  settings    bytea,
  disabled_at timestamptz,
  changed_at  timestamptz not null,
  constraint provider_accounts_version_of_settings check ((version = 0) = (settings is null))
);
-- Settings are encrypted again, without another version, under another master key.
create function provider_accounts_guard() returns trigger language plpgsql as $$
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
create trigger provider_accounts_guard before update on provider_accounts for each row execute function provider_accounts_guard();
create trigger provider_accounts_no_delete before delete on provider_accounts for each row execute function refuse_change();
create trigger provider_accounts_no_truncate before truncate on provider_accounts
  for each statement execute function refuse_change();

-- Routes of single merchants in place of the deployment's: the accounts at providers for a method (`visa`), or for a method in one currency
-- (`visa_ZWG`), in the order in which they are called. Without accounts, the method is not offered.
create table provider_routes (
  merchant_id uuid        not null references merchants (id) on delete cascade,
  route       text        not null check (route ~ '^[a-z]+(_[A-Z]{3})?$'),
  accounts    text[]      not null,
  changed_at  timestamptz not null,
  primary key (merchant_id, route)
);

-- The calls that each provider still allows: a bucket that fills with time and is shared by all processes. A provider without a row has a
-- full bucket. paused_until: the provider has asked for a pause.
create table provider_budgets (
  provider     text        primary key,
  level        float8      not null check (level >= 0),
  filled_at    timestamptz not null,
  paused_until timestamptz,
  version      integer     not null default 0
);

-- The results of the calls to each provider, by minute. completed, declined: the ends of charges. failed: calls without a trustworthy answer.
-- busy: calls that the provider refused for their number. blocked: calls that were not made because the last ones had failed.
-- latency: the number of calls by duration, in the ranges that the code names.
create table provider_call_counts (
  provider  text        not null,
  minute    timestamptz not null,
  calls     integer     not null default 0,
  completed integer     not null default 0,
  declined  integer     not null default 0,
  failed    integer     not null default 0,
  busy      integer     not null default 0,
  blocked   integer     not null default 0,
  latency   integer[]   not null,
  primary key (provider, minute)
);
create index provider_call_counts_old on provider_call_counts (minute);
