-- Where a merchant wants events sent. A deleted one stays until what was sent to it is forgotten.
create table webhook_endpoints (
  merchant_id    uuid        not null,
  id             uuid        not null,
  application_id uuid        not null,
  url            text        not null check (length(url) between 1 and 2048),
  events         text[]      not null check (cardinality(events) > 0),
  status         text        not null default 'active' check (status in ('active', 'failing', 'disabled')),
  created_at     timestamptz not null,
  updated_at     timestamptz not null,
  deleted_at     timestamptz,
  primary key (merchant_id, id),
  foreign key (merchant_id, application_id) references applications (merchant_id, id)
);
create index webhook_endpoints_of_application on webhook_endpoints (merchant_id, application_id) where deleted_at is null;

-- What a delivery is signed with: the secret that is in force, and those that were until a moment ago.
create table webhook_secrets (
  merchant_id uuid        not null,
  endpoint_id uuid        not null,
  id          uuid        not null,
  sealed      bytea       not null,
  created_at  timestamptz not null,
  expires_at  timestamptz,
  primary key (merchant_id, endpoint_id, id),
  foreign key (merchant_id, endpoint_id) references webhook_endpoints (merchant_id, id) on delete cascade
);
create unique index webhook_secrets_one_in_force on webhook_secrets (merchant_id, endpoint_id) where expires_at is null;

-- Events that no relay has seen. Each is written here by the commit that writes the event, whoever writes it, and taken away by the
-- commit that writes its deliveries; ids are no measure of what was seen, for a commit may come later than one with a higher id.
create table events_to_relay (
  seq         bigint generated always as identity primary key,
  merchant_id uuid   not null,
  event_id    uuid   not null
);

create function events_note_new() returns trigger language plpgsql as $$
begin
  insert into events_to_relay (merchant_id, event_id) select merchant_id, id from created;
  return null;
end $$;
create trigger events_note_new after insert on events
  referencing new table as created for each statement execute function events_note_new();

-- Events are forgotten by age alone; a day is left for clocks that differ.
create function events_keep_young() returns trigger language plpgsql as $$
begin
  if old.created_at > now() - interval '29 days' then
    raise exception 'an event is kept for 30 days' using errcode = 'integrity_constraint_violation';
  end if;
  return old;
end $$;
create trigger events_kept before delete on events for each row execute function events_keep_young();
create trigger events_no_truncate before truncate on events for each statement execute function refuse_change();

create index events_of_application on events (merchant_id, application_id, id);
create index events_created_at on events (created_at);

-- One event on its way to one endpoint, and when it is tried next: a process that takes one puts that off for as long as it has it to
-- itself. The rows refer to no other table, for a check of a reference would lock the endpoint's row at each; events and their
-- deliveries are deleted together.
create table webhook_deliveries (
  merchant_id     uuid        not null,
  event_id        uuid        not null,
  endpoint_id     uuid        not null,
  status          text        not null default 'pending' check (status in ('pending', 'delivered', 'failed')),
  tries           integer     not null default 0 check (tries >= 0),
  -- Those before it was last sent again by hand, from which the schedule starts over.
  tries_before    integer     not null default 0 check (tries_before between 0 and tries),
  next_try_at     timestamptz,
  last_tried_at   timestamptz,
  response_status integer,
  fault           text,
  created_at      timestamptz not null,
  primary key (merchant_id, event_id, endpoint_id),
  check ((status = 'pending') = (next_try_at is not null))
) with (fillfactor = 80);
create index webhook_deliveries_of_endpoint on webhook_deliveries (merchant_id, endpoint_id, event_id);
create index webhook_deliveries_due on webhook_deliveries (endpoint_id, next_try_at) where next_try_at is not null;

-- What was sent and answered at each try. The body that was sent is the event's.
create table webhook_tries (
  merchant_id      uuid        not null,
  event_id         uuid        not null,
  endpoint_id      uuid        not null,
  number           integer     not null check (number > 0),
  at               timestamptz not null,
  duration_ms      integer     not null check (duration_ms >= 0),
  request_headers  jsonb       not null,
  response_status  integer,
  fault            text,
  response_headers jsonb       not null,
  response_body    text        not null,
  response_cut     boolean     not null,
  primary key (merchant_id, event_id, endpoint_id, number),
  check (response_status is not null or fault is not null)
);

-- An endpoint that keeps failing is marked by nobody.
alter table audit_log
  drop constraint audit_log_actor_kind_check,
  add constraint audit_log_actor_kind_check check (actor_kind in ('merchant', 'operator', 'visitor', 'system'));
