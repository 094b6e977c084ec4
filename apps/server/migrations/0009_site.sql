-- Incidents that an operator writes for the status page. Everybody may read them. An announcement is never changed or removed: a correction
-- is a further update.
create table incidents (
  id          uuid        primary key,
  title       text        not null check (length(title) between 1 and 120),
  opened_at   timestamptz not null,
  resolved_at timestamptz check (resolved_at >= opened_at)
);
create index incidents_by_time on incidents (opened_at);

create table incident_updates (
  incident_id uuid        not null references incidents (id),
  number      int         not null check (number >= 1),
  status      text        not null check (status in ('investigating', 'identified', 'monitoring', 'resolved')),
  message     text        not null check (length(message) between 1 and 1000),
  at          timestamptz not null,
  primary key (incident_id, number)
);
-- The last update of an incident resolves it.
create unique index incident_updates_one_resolved on incident_updates (incident_id) where status = 'resolved';
create trigger incident_updates_append_only before update or delete on incident_updates
  for each row execute function refuse_change();
create trigger incident_updates_no_truncate before truncate on incident_updates
  for each statement execute function refuse_change();
