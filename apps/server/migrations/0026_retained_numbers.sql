-- The phone numbers of erased customers, encrypted, for the refunds and look-ups of their charges. A number is deleted at kept_until, or when
-- the last refund of its charge has ended after it.
create table retained_numbers (
  account_id uuid        not null,
  attempt_id uuid        not null,
  number     bytea       not null,
  kept_until timestamptz not null,
  primary key (account_id, attempt_id),
  foreign key (account_id, attempt_id) references payment_attempts (account_id, id)
);
create index retained_numbers_by_time on retained_numbers (kept_until);

-- Invariant: a number is retained only for a booked charge whose plain number is erased, and no longer than 180 days.
create function retained_numbers_guard() returns trigger language plpgsql as $$
begin
  perform from payment_attempts
    where account_id = new.account_id and id = new.attempt_id and status in ('completed', 'duplicate') and msisdn is null;
  if not found or new.kept_until > muripo_now() + interval '180 days' then
    raise exception 'the number of charge % is not retained', new.attempt_id using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
create trigger retained_numbers_guard before insert on retained_numbers for each row execute function retained_numbers_guard();
