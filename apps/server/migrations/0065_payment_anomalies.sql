-- Answers of a provider that contradict what is recorded and booked, and calls that it gave no answer about in time. A person resolves
-- each row.
--
-- reversed: it took a paid charge back by itself; amount_minor is how much, null when it did not say. contradicted: it says of a charge or
-- a refund that is done that it failed. still_pending: it has what was given up here, and has not decided within its time. unanswered: it
-- has told of a change, or what was given up is watched, and it could not be asked in time.
create table payment_anomalies (
  merchant_id     uuid        not null,
  id              uuid        not null,
  payment_id      uuid        not null,
  attempt_id      uuid        not null,
  refund_id       uuid,
  kind            text        not null check (kind in ('reversed', 'contradicted', 'still_pending', 'unanswered')),
  amount_minor    bigint      check (amount_minor > 0),
  currency        text        not null,
  provider_status text        not null,
  opened_at       timestamptz not null,
  resolved_at     timestamptz,
  resolution      text        check (resolution in ('booked', 'nothing_moved')),
  booked_minor    bigint      check (booked_minor > 0),
  primary key (merchant_id, id),
  foreign key (merchant_id, payment_id) references payments (merchant_id, id),
  foreign key (merchant_id, payment_id, attempt_id) references payment_attempts (merchant_id, payment_id, id),
  foreign key (merchant_id, refund_id) references refunds (merchant_id, id),
  check (amount_minor is null or kind = 'reversed'),
  check ((resolved_at is null) = (resolution is null)),
  check ((booked_minor is not null) = coalesce(resolution = 'booked', false))
);

-- The same of the same charge or refund is one row for as long as it waits, however often it is seen.
create unique index payment_anomalies_open on payment_anomalies (merchant_id, attempt_id, coalesce(refund_id, attempt_id), kind)
  where resolved_at is null;
create index payment_anomalies_waiting on payment_anomalies (opened_at) where resolved_at is null;
create index payment_anomalies_of_payment on payment_anomalies (merchant_id, payment_id);

create function payment_anomalies_keep_facts() returns trigger language plpgsql as $$
begin
  raise exception 'what was seen of payment % and how it was resolved do not change', old.payment_id using errcode = 'restrict_violation';
end $$;
create trigger payment_anomalies_facts before update on payment_anomalies for each row
  when (old.resolved_at is not null
    or (old.merchant_id, old.id, old.payment_id, old.attempt_id, old.refund_id, old.kind, old.amount_minor, old.currency, old.provider_status, old.opened_at)
      is distinct from (new.merchant_id, new.id, new.payment_id, new.attempt_id, new.refund_id, new.kind, new.amount_minor, new.currency, new.provider_status, new.opened_at))
  execute function payment_anomalies_keep_facts();
create trigger payment_anomalies_kept before delete on payment_anomalies for each row execute function refuse_change();
create trigger payment_anomalies_no_truncate before truncate on payment_anomalies for each statement execute function refuse_change();
