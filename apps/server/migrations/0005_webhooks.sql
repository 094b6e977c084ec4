-- What happened, written in the commit that made it happen. sequence counts the events of one payment without a gap.
create table events (
  merchant_id    uuid        not null,
  id             uuid        not null,
  application_id uuid        not null,
  type           text        not null,
  subject_id     uuid        not null,
  sequence       integer     not null check (sequence > 0),
  data           jsonb       not null,
  created_at     timestamptz not null,
  primary key (merchant_id, id),
  unique (merchant_id, subject_id, sequence),
  foreign key (merchant_id, application_id) references applications (merchant_id, id)
);

create trigger events_append_only before update on events for each row execute function refuse_change();
