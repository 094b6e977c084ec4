-- The last report of a provider about a booked charge, beside its confirmation.

-- last_report: the last reply of the provider about a booked charge, since it has first said something else than that the booked amount is
-- paid: its outcome, words, reference and amount, the time of the first reply with these words, and that of the last one.
alter table payment_attempts add column last_report jsonb;

-- amount_differs: the provider reports another amount of a booked charge or refund; amount_minor is that amount, null when it is unknown or in
-- another currency. The difference is an adjustment of the charge or refund, so booked_minor is null. event_reference: the provider's own
-- reference of the refund or reversal that it reports.
alter table payment_anomalies add column event_reference text;
alter table payment_anomalies
  drop constraint payment_anomalies_kind_check,
  add constraint payment_anomalies_kind_check
    check (kind in ('reversed', 'contradicted', 'amount_differs', 'still_pending', 'unanswered')) not valid,
  drop constraint payment_anomalies_amount_of_reversal,
  add constraint payment_anomalies_amount_of_reversal
    check (amount_minor is null or kind in ('reversed', 'amount_differs')) not valid,
  drop constraint payment_anomalies_booked_amount,
  add constraint payment_anomalies_booked_amount
    check ((booked_minor is not null) = (coalesce(resolution = 'booked', false) and kind <> 'amount_differs')) not valid;

-- Invariant: an anomaly and its resolution never change, but for the amount of an open row. That of a reversal only grows, and a null amount
-- already stands for the whole charge; of a different amount the last report counts.
create or replace trigger payment_anomalies_keep_facts before update on payment_anomalies for each row
  when (old.resolved_at is not null
    or (old.account_id, old.id, old.payment_id, old.attempt_id, old.refund_id, old.kind, old.currency, old.provider_status, old.opened_at,
        old.event_reference)
      is distinct from (new.account_id, new.id, new.payment_id, new.attempt_id, new.refund_id, new.kind, new.currency, new.provider_status,
        new.opened_at, new.event_reference)
    or (old.amount_minor is distinct from new.amount_minor
      and (new.resolved_at is not null or new.amount_minor is null
        or (old.kind = 'reversed' and coalesce(new.amount_minor <= old.amount_minor, true)))))
  execute function payment_anomalies_keep_facts();

-- cause_id: the attempt or the refund whose amount at the provider differs from the booked one; null for an operator's ledger adjust.
alter table ledger_adjustments add column if not exists cause_id uuid;
