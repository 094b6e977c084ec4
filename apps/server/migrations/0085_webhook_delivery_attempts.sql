-- Sending a delivery once is a delivery attempt, in the names of columns, tables and constraints too.
alter table webhook_deliveries rename column tries to attempts;
alter table webhook_deliveries rename column tries_before to attempts_before;
alter table webhook_deliveries rename column next_try_at to next_attempt_at;
alter table webhook_deliveries rename column last_tried_at to last_attempt_at;
alter table webhook_tries rename to webhook_delivery_attempts;

do $$
declare
  old record;
begin
  for old in
    select conrelid::regclass as of, conname as name from pg_constraint
    where conrelid in ('webhook_deliveries'::regclass, 'webhook_delivery_attempts'::regclass)
      and conname ~ '(tries|next_try|last_tried)'
  loop
    execute format('alter table %s rename constraint %I to %I', old.of, old.name,
      replace(replace(replace(replace(old.name, 'webhook_tries', 'webhook_delivery_attempts'), 'next_try', 'next_attempt'),
        'last_tried', 'last_attempt'), 'tries', 'attempts'));
  end loop;
end $$;
