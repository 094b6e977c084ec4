-- A provider that has said anything of a charge or a refund is never counted as not knowing it. Only what has not been found twice is
-- given up, and the count is written with the failure.
update payment_attempts set not_found_checks = 0
  where not_found_checks > 0 and (provider_state is not null or provider_reference is not null);
update refunds set not_found_checks = 0
  where not_found_checks > 0 and (provider_state is not null or provider_reference is not null);
alter table payment_attempts add constraint payment_attempts_known_stays_known
  check (not_found_checks = 0 or (provider_state is null and provider_reference is null));
alter table refunds add constraint refunds_known_stays_known
  check (not_found_checks = 0 or (provider_state is null and provider_reference is null));

create function keep_provider_words() returns trigger language plpgsql as $$
begin
  raise exception 'what a provider has said of % is not forgotten', old.id using errcode = 'restrict_violation';
end $$;
create trigger payment_attempts_words before update on payment_attempts for each row
  when ((old.provider_state is not null and new.provider_state is null)
    or (old.provider_reference is not null and new.provider_reference is null))
  execute function keep_provider_words();
create trigger refunds_words before update on refunds for each row
  when ((old.provider_state is not null and new.provider_state is null)
    or (old.provider_reference is not null and new.provider_reference is null))
  execute function keep_provider_words();

-- A refund that failed here and that its provider has paid all the same, when its money has gone out another way: it waits for a person
-- until that person has settled it.
alter table refunds
  add column paid_late_at timestamptz,
  add column settled_at timestamptz,
  add constraint refunds_paid_late check (paid_late_at is null or status = 'failed'),
  add constraint refunds_settled check (settled_at is null or paid_late_at is not null);
create trigger refunds_paid_late_stays before update on refunds for each row
  when ((old.paid_late_at is not null and new.paid_late_at is null and new.status <> 'completed')
    or (old.settled_at is not null and new.settled_at is distinct from old.settled_at))
  execute function keep_provider_words();
drop index refunds_for_operator;
create index refunds_for_operator on refunds (created_at)
  where status = 'awaiting_operator'
    or (status in ('sending', 'pending', 'unknown') and next_check_at is null)
    or (paid_late_at is not null and settled_at is null);

-- What cannot be gone through comes up again after a pause, behind those that have waited longer, for one process at a time.
alter table provider_callbacks add column next_try_at timestamptz not null default now();
alter table provider_callbacks alter column next_try_at drop default;
drop index provider_callbacks_waiting;
create index provider_callbacks_waiting on provider_callbacks (next_try_at) where processed_at is null;
