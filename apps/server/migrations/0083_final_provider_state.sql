-- The state that a provider gave of a call is what the gateway looks the call up with, and what a refund of the charge is sent with. It does
-- not change once the money is booked: a reply that comes later may be older.
create function keep_final_provider_state() returns trigger language plpgsql as $$
begin
  raise exception 'the provider state of % is final', old.id using errcode = 'restrict_violation';
end $$;
create trigger payment_attempts_final_state before update on payment_attempts for each row
  when (old.status in ('completed', 'duplicate') and old.provider_state is distinct from new.provider_state)
  execute function keep_final_provider_state();
create trigger refunds_final_state before update on refunds for each row
  when (old.status = 'completed' and old.provider_state is distinct from new.provider_state)
  execute function keep_final_provider_state();
