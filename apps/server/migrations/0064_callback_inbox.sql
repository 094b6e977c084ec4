-- The inbox of callbacks. Invariant: the same words of a provider about the same charge or refund are one row, however often they come.
-- A copy is counted. A copy that comes a minute or more after the row was processed opens the row again: by then it may tell of a change.
alter table provider_callbacks
  add column body_sha256 bytea not null generated always as (sha256(body)) stored,
  add column copies integer not null default 1 check (copies >= 1),
  add column last_received_at timestamptz check (last_received_at >= received_at);
-- Of what came several times before there was an inbox, the row that still has to be processed stays, or else the latest.
with ranked as (
  select id, count(*) over same as copies, max(received_at) over same as last_received_at,
    row_number() over (partition by provider, token, body_sha256 order by processed_at is not null, received_at desc) as place
  from provider_callbacks
  window same as (partition by provider, token, body_sha256)
), kept as (
  update provider_callbacks c set copies = r.copies, last_received_at = r.last_received_at
  from ranked r where r.id = c.id and r.place = 1 and r.copies > 1
)
delete from provider_callbacks c using ranked r where r.id = c.id and r.place > 1;
create unique index provider_callbacks_inbox on provider_callbacks (provider, token, body_sha256);

-- unanswered: for as long as its provider may change its word, the provider could not be asked. A person has to.
alter table provider_callbacks
  drop constraint provider_callbacks_result_check,
  add constraint provider_callbacks_result_check check (result in ('applied', 'unmatched', 'unanswered'));

-- Callbacks whose token the gateway never made leave no row, so that nobody can fill the disk with them. They are counted by day.
create table provider_callback_refusals (
  provider text   not null,
  day      date   not null,
  count    bigint not null check (count > 0),
  primary key (provider, day)
);
