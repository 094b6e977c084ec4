-- An event is written in the commit of the change that it reports. sequence counts the events of one payment without a gap.
create table events (
  account_id     uuid        not null,
  id             uuid        not null,
  application_id uuid        not null,
  type           text        not null,
  subject_id     uuid        not null,
  sequence       integer     not null check (sequence > 0),
  data           jsonb       not null,
  created_at     timestamptz not null,
  position       bigint      not null default transaction_position(),
  primary key (account_id, id),
  unique (account_id, subject_id, sequence)
);
create index events_of_application on events (account_id, application_id, position, id);
create index events_created_at on events (created_at);
create trigger events_append_only before update on events for each row execute function refuse_change();
create trigger events_no_truncate before truncate on events for each statement execute function refuse_change();

-- Invariant: an event is of an application of its account. A foreign key would lock the row of the application for each event.
create function events_guard_application() returns trigger language plpgsql as $$
begin
  if not exists (select from applications where account_id = new.account_id and id = new.application_id) then
    raise exception 'the application of event % does not exist', new.id
      using errcode = 'foreign_key_violation', constraint = 'events_application';
  end if;
  return new;
end $$;
create trigger events_application before insert on events for each row execute function events_guard_application();

-- Invariant: an event is kept for 30 days. One day less is checked here, for clocks that differ.
create function events_refuse_early_delete() returns trigger language plpgsql as $$
begin
  if old.created_at > now() - interval '29 days' then
    raise exception 'an event is kept for 30 days' using errcode = 'integrity_constraint_violation';
  end if;
  return old;
end $$;
create trigger events_no_early_delete before delete on events for each row execute function events_refuse_early_delete();

-- The outbox: events without deliveries yet. The statement that writes an event adds its row, and the commit that writes its deliveries deletes
-- the row. Ids cannot tell which events were relayed, because an event with a lower id may commit later than one with a higher id.
create table events_to_relay (
  seq         bigint not null generated always as identity,
  account_id  uuid   not null,
  event_id    uuid   not null
);
create index events_to_relay_in_order on events_to_relay (seq);

-- The address to which a merchant wants events sent. A deleted endpoint stays until its deliveries are deleted.
--
-- The first 2xx response proves an endpoint. Until then it gets one delivery at a time, and failed delivery attempts are counted: a merchant
-- may have named an address whose owner wants nothing from the gateway.
create table webhook_endpoints (
  account_id            uuid        not null,
  id                    uuid        not null,
  application_id        uuid        not null,
  url                   text        not null check (length(url) between 1 and 2048),
  events                text[]      not null check (cardinality(events) > 0),
  status                text        not null default 'active' check (status in ('active', 'failing', 'disabled')),
  proven_at             timestamptz,
  failures_before_proof integer     not null default 0 check (failures_before_proof >= 0),
  created_at            timestamptz not null,
  updated_at            timestamptz not null,
  deleted_at            timestamptz,
  primary key (account_id, id),
  foreign key (account_id, application_id) references applications (account_id, id)
);
create index webhook_endpoints_of_application on webhook_endpoints (account_id, application_id) where deleted_at is null;

-- The secrets that sign deliveries: the active one, and earlier ones until they expire.
create table webhook_secrets (
  account_id  uuid        not null,
  endpoint_id uuid        not null,
  id          uuid        not null,
  encrypted   bytea       not null,
  created_at  timestamptz not null,
  expires_at  timestamptz,
  primary key (account_id, endpoint_id, id),
  foreign key (account_id, endpoint_id) references webhook_endpoints (account_id, id) on delete cascade
);
create unique index webhook_secrets_one_active on webhook_secrets (account_id, endpoint_id) where expires_at is null;

-- The delivery of one event to one endpoint, and the time of its next attempt. A process leases a delivery by moving that time into the
-- future. The rows have no foreign keys, because each check of a reference would lock the endpoint's row; events and their deliveries are
-- deleted together.
create table webhook_deliveries (
  account_id      uuid        not null,
  event_id        uuid        not null,
  endpoint_id     uuid        not null,
  status          text        not null default 'pending' check (status in ('pending', 'delivered', 'failed')),
  attempts        integer     not null default 0 check (attempts >= 0),
  -- The attempts before the last manual resend, from which the schedule starts over.
  attempts_before integer     not null default 0 check (attempts_before between 0 and attempts),
  next_attempt_at timestamptz,
  last_attempt_at timestamptz,
  response_status integer,
  error           text,
  created_at      timestamptz not null,
  primary key (account_id, event_id, endpoint_id),
  check ((status = 'pending') = (next_attempt_at is not null))
) with (fillfactor = 80);
create index webhook_deliveries_of_endpoint on webhook_deliveries (account_id, endpoint_id, event_id);
create index webhook_deliveries_due on webhook_deliveries (endpoint_id, next_attempt_at) where next_attempt_at is not null;

-- The request and the response of each delivery attempt. The body of the request is the event's.
create table webhook_delivery_attempts (
  account_id       uuid        not null,
  event_id         uuid        not null,
  endpoint_id      uuid        not null,
  number           integer     not null check (number > 0),
  at               timestamptz not null,
  duration_ms      integer     not null check (duration_ms >= 0),
  request_headers  jsonb       not null,
  response_status  integer,
  error            text,
  response_headers jsonb       not null,
  response_body    text        not null,
  response_cut     boolean     not null,
  primary key (account_id, event_id, endpoint_id, number),
  check (response_status is not null or error is not null)
);
