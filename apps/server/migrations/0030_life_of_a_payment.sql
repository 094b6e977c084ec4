-- A payment whose last try was refused stays pending: the payer may try again. It takes no more tries once it is closing, because it
-- was cancelled or has expired, and fails for that reason as soon as no try may still succeed.
alter table payments
  alter column status_reason set default 'awaiting_payer',
  add column closing_reason text check (closing_reason in ('cancelled', 'expired')),
  add column closing_since timestamptz;

-- Until now a refusal failed a payment. Those that failed so are taken as expired: nobody may try to pay them any more.
alter table payments disable trigger payments_noted_changed;
update payments set closing_reason = 'expired', closing_since = least(updated_at, expires_at) where status = 'failed';
update payments set status_reason = 'awaiting_payer' where status = 'pending' and status_reason is null;
alter table payments enable trigger payments_noted_changed;

alter table payments
  add constraint payments_closing_since check ((closing_reason is null) = (closing_since is null)),
  add constraint payments_fail_by_closing check (status <> 'failed' or closing_reason is not null);

-- What expires next. A payment leaves it when it is paid or closing, so whoever looks for what is due never meets one twice.
create index payments_to_expire on payments (expires_at) where status = 'pending' and closing_reason is null;

-- Invariant: a payment fails only when no try may still bring money. A held one is open until a person has decided.
create function payments_guard_failing() returns trigger language plpgsql as $$
begin
  if exists (
    select from payment_attempts
    where merchant_id = new.merchant_id and payment_id = new.id and status in ('sending', 'pending', 'unknown', 'held')
  ) then
    raise exception 'payment % has an open attempt and cannot fail', new.id using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
create trigger payments_failing before update on payments
  for each row when (old.status = 'pending' and new.status = 'failed') execute function payments_guard_failing();

-- Invariant: a try begins on a payment that can be paid.
create function payment_attempts_guard_opening() returns trigger language plpgsql as $$
begin
  perform from payments
  where merchant_id = new.merchant_id and id = new.payment_id and status = 'pending' and closing_reason is null
  for share;
  if not found then
    raise exception 'payment % takes no attempt', new.payment_id using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
create trigger payment_attempts_opening before insert on payment_attempts
  for each row execute function payment_attempts_guard_opening();

-- What only a person can decide: money that does not fit, and what nobody could learn within a day.
create index payment_attempts_in_review on payment_attempts (created_at)
  where status = 'held' or (status in ('sending', 'pending', 'unknown') and next_check_at is null);
