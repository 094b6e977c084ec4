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
