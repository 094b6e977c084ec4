-- A call that its provider has provably not processed, such as one that was refused for its number of calls, waits for its time and is made
-- again under the same key. Until then nothing is looked up.
alter table payment_attempts
  add column is_deferred boolean not null default false,
  add constraint payment_attempts_deferred_is_unsent check (not is_deferred or (status = 'sending' and next_check_at is not null));
create index payment_attempts_deferred on payment_attempts (next_check_at) where is_deferred;

alter table refunds
  add column is_deferred boolean not null default false,
  add constraint refunds_deferred_is_unsent check (not is_deferred or (status = 'sending' and next_check_at is not null));

-- The calls that each provider still allows: a bucket that fills with time and is shared by all processes. A provider without a row has a
-- full bucket. paused_until: the provider has asked for a pause.
create table provider_budgets (
  provider     text        primary key,
  level        float8      not null check (level >= 0),
  filled_at    timestamptz not null,
  paused_until timestamptz,
  version      integer     not null default 0
);

-- What the processes saw of each provider, by minute. completed, declined: the ends of charges. failed: calls without a trustworthy answer.
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
