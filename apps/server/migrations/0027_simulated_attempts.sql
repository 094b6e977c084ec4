-- Invariant: the simulated provider never serves live money. An attempt names it in the environment of test keys only, and never in a merchant's
-- own environment.
create function payment_attempts_guard_simulated() returns trigger language plpgsql as $$
begin
  perform from environments where id = new.account_id and id <> merchant_id;
  if not found then
    raise exception 'the simulated provider serves test keys only, and not the account %', new.account_id
      using errcode = 'check_violation';
  end if;
  return new;
end $$;
create trigger payment_attempts_guard_simulated before insert on payment_attempts
  for each row when (new.provider in ('simulator', 'simulator-cards')) execute function payment_attempts_guard_simulated();
