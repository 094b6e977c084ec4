-- A provider may take back more of a charge while the review of an earlier reversal waits. The amount of that row may grow until the row is
-- resolved, and never shrinks. A null amount already stands for the whole charge.
drop trigger payment_anomalies_facts on payment_anomalies;
create trigger payment_anomalies_facts before update on payment_anomalies for each row
  when (old.resolved_at is not null
    or (old.merchant_id, old.id, old.payment_id, old.attempt_id, old.refund_id, old.kind, old.currency, old.provider_status, old.opened_at)
      is distinct from (new.merchant_id, new.id, new.payment_id, new.attempt_id, new.refund_id, new.kind, new.currency, new.provider_status, new.opened_at)
    or (old.amount_minor is distinct from new.amount_minor
      and (new.resolved_at is not null or coalesce(new.amount_minor <= old.amount_minor, true))))
  execute function payment_anomalies_keep_facts();

-- Refunds, done and under way, and reversals, open and booked, never exceed the charge. A person may book a reversal on a row of any kind;
-- an open row counts when it is about money that was taken back.
create or replace function refunds_guard_reversed() returns trigger language plpgsql as $$
declare
  charged bigint;
  taken_back bigint;
begin
  select amount_minor into charged from payment_attempts where merchant_id = new.merchant_id and id = new.attempt_id;
  select coalesce(sum(case
      when resolved_at is not null then coalesce(booked_minor, 0)
      when kind in ('reversed', 'contradicted') then coalesce(amount_minor, charged)
      else 0 end), 0)
    into taken_back
    from payment_anomalies
    where merchant_id = new.merchant_id and payment_id = new.payment_id and attempt_id = new.attempt_id and refund_id is null;
  if taken_back > 0 and taken_back + new.amount_minor + (
    select coalesce(sum(amount_minor), 0) from refunds
    where merchant_id = new.merchant_id and payment_id = new.payment_id and attempt_id = new.attempt_id and status <> 'failed'
  ) > charged then
    raise exception 'the provider has taken the charge % back', new.attempt_id using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
