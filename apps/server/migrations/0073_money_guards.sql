-- The moves of an attempt and of a refund, as the code holds them in machine.ts: a test compares the two. A move that is allowed costs no call.
create function refuse_move() returns trigger language plpgsql as $$
begin
  raise exception '% % cannot move from % to %', tg_table_name, old.id, old.status, new.status using errcode = 'restrict_violation';
end $$;
create trigger payment_attempts_moves before update on payment_attempts for each row
  when (new.status <> old.status and old.status || ' ' || new.status <> all (array[
    'sending pending', 'sending unknown', 'sending held', 'sending completed', 'sending failed', 'sending duplicate',
    'pending held', 'pending completed', 'pending failed', 'pending duplicate', 'unknown pending', 'unknown held',
    'unknown completed', 'unknown failed', 'unknown duplicate', 'held completed', 'held failed', 'held duplicate',
    'failed held', 'failed completed', 'failed duplicate']))
  execute function refuse_move();
create trigger refunds_moves before update on refunds for each row
  when (new.status <> old.status and old.status || ' ' || new.status <> all (array[
    'sending pending', 'sending unknown', 'sending awaiting_operator', 'sending completed', 'sending failed', 'pending unknown',
    'pending awaiting_operator', 'pending completed', 'pending failed', 'unknown pending', 'unknown awaiting_operator',
    'unknown completed', 'unknown failed', 'awaiting_operator unknown', 'awaiting_operator completed',
    'awaiting_operator failed', 'failed completed']))
  execute function refuse_move();

-- Invariant: a payment's status never changes without its event. The two are written in one commit, and last_event is the event's number.
create function payments_refuse_silence() returns trigger language plpgsql as $$
begin
  raise exception 'payment % cannot become % without an event', old.id, new.status using errcode = 'restrict_violation';
end $$;
create trigger payments_status_has_event before update on payments for each row
  when ((new.status <> old.status and new.last_event <> old.last_event + 1) or new.last_event not in (old.last_event, old.last_event + 1))
  execute function payments_refuse_silence();

-- Invariant: a refund is paid out of what is owed to the merchant only after its reserve was released to the merchant, once and whole.
create function ledger_transfers_guard_late_refund() returns trigger language plpgsql as $$
begin
  if not exists (
    select from ledger_transfers
    where merchant_id = new.merchant_id and cause_id = new.cause_id and kind = 'refund_released'
      and (payment_id, currency, amount_minor) = (new.payment_id, new.currency, new.amount_minor)
  ) then
    raise exception 'no reserve of % was released', new.cause_id using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
create trigger ledger_transfers_after_release before insert on ledger_transfers
  for each row when (new.kind = 'refund_paid' and new.debit_code = 'merchant.payable')
  execute function ledger_transfers_guard_late_refund();

-- Invariant: an attempt asks for the whole payment in its currency; a refund is in the currency of its charge.
create or replace function payment_attempts_guard_opening() returns trigger language plpgsql as $$
declare
  allowed boolean;
begin
  select a.merchant_active and a.operator_stop_reason is null into allowed
  from payments p join applications a on a.merchant_id = p.merchant_id and a.id = p.application_id
  where p.merchant_id = new.merchant_id and p.id = new.payment_id and p.status = 'pending' and p.closing_reason is null
    and (p.amount_minor, p.currency) = (new.amount_minor, new.currency)
  for share of p;
  if allowed is null then
    raise exception 'payment % takes no attempt', new.payment_id using errcode = 'restrict_violation';
  end if;
  if not allowed then
    raise exception 'the merchant of payment % is stopped', new.payment_id
      using errcode = 'restrict_violation', constraint = 'payment_attempts_merchant_active';
  end if;
  return new;
end $$;
create function refunds_guard_currency() returns trigger language plpgsql as $$
begin
  if exists (
    select from payment_attempts
    where merchant_id = new.merchant_id and id = new.attempt_id and currency <> new.currency
  ) then
    raise exception 'the charge of refund % is in another currency', new.id using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
create trigger refunds_currency before insert on refunds for each row execute function refunds_guard_currency();

-- Raised by each change, so that a change that was decided from an earlier reading is refused.
alter table payments add column version integer not null default 0;
