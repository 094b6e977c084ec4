-- One change of a payment may have several events: a refund that ends can show at the same time that its provider has reversed more of the
-- charge. A number is never used twice or left out: each number beyond the next one has its event.
create function payments_require_each_event() returns trigger language plpgsql as $$
begin
  if (
    select count(*) from events
    where account_id = new.account_id and subject_id = new.id and sequence > old.last_event and sequence <= new.last_event
  ) <> new.last_event - old.last_event then
    raise exception 'payment % leaves out an event before its number %', new.id, new.last_event using errcode = 'restrict_violation';
  end if;
  return null;
end $$;

create trigger payments_require_each_event after update on payments for each row
  when (new.last_event > old.last_event + 1)
  execute function payments_require_each_event();

create or replace trigger payments_require_event before update on payments for each row
  when (new.status <> old.status and new.last_event = old.last_event or new.last_event < old.last_event)
  execute function payments_require_event();
