-- The operator decides which merchants take live money. The status is the operator's word; who gave it, when and why stand beside it,
-- and every change is in the audit log besides. A merchant takes live money when approved; in a gateway for tests nobody is asked, and
-- `new` is enough. A suspended merchant writes nothing until resumed, a closed one never again.
alter table merchants
  add column status text not null default 'new' check (status in ('new', 'approved', 'suspended', 'closed')),
  add column status_changed_at timestamptz,
  add column status_changed_by text check (length(status_changed_by) between 1 and 100),
  add column status_reason text check (length(status_reason) between 1 and 300),
  add column approved_at timestamptz,
  add column prompt_name text check (length(prompt_name) between 1 and 200),
  add constraint merchants_status_explained check (
    num_nonnulls(status_changed_at, status_changed_by, status_reason) = 3
    or (status = 'new' and num_nonnulls(status_changed_at, status_changed_by, status_reason) = 0)
  ),
  -- A resumed merchant is again what they were: approved if ever approved, else new.
  add constraint merchants_approval check (
    case status when 'new' then approved_at is null when 'approved' then approved_at is not null else true end
  ),
  add constraint merchants_approval_with_name check ((approved_at is null) = (prompt_name is null));

comment on column merchants.prompt_name is 'The merchant''s name as the operator approved it: what a wallet''s prompt for live money shows';

create index merchants_by_status on merchants (status, id);

-- A merchant that had live keys before approvals existed keeps them.
update merchants set
  status = 'approved', approved_at = now(), prompt_name = fullname,
  status_changed_at = now(), status_changed_by = 'migration', status_reason = 'Had live keys before merchants were approved'
where exists (select from application_keys k where k.merchant_id = merchants.id and k.mode = 'live');

create function merchants_guard_status() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    raise exception 'merchant % begins as new', new.id using errcode = 'restrict_violation';
  end if;
  if (old.status, new.status) not in (
    ('new', 'approved'), ('new', 'suspended'), ('new', 'closed'),
    ('approved', 'suspended'), ('approved', 'closed'),
    ('suspended', 'approved'), ('suspended', 'new'), ('suspended', 'closed')
  ) and old.status <> new.status then
    raise exception 'merchant % cannot move from % to %', old.id, old.status, new.status using errcode = 'restrict_violation';
  end if;
  if old.approved_at is distinct from new.approved_at and not (old.status = 'new' and new.status = 'approved') then
    raise exception 'the approval of merchant % does not change', old.id using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
create trigger merchants_begin_new before insert on merchants
  for each row when (new.status <> 'new') execute function merchants_guard_status();
create trigger merchants_status_moves before update on merchants
  for each row when (old.status <> new.status or old.approved_at is distinct from new.approved_at)
  execute function merchants_guard_status();

-- The statement that creates a payment reads the application's row anyway, so the merchant's status has a copy there.
alter table applications
  add column merchant_active boolean not null default true,
  add column operator_stop_reason text check (length(operator_stop_reason) between 1 and 300),
  add column prompt_name text check (length(prompt_name) between 1 and 100);

comment on column applications.merchant_active is 'Whether the merchant is neither suspended nor closed; triggers keep it, whatever a statement says';
comment on column applications.operator_stop_reason is 'Why the operator has stopped this application; null when it is not stopped';
comment on column applications.prompt_name is 'The application''s name as the operator approved it; until then a prompt for live money shows the merchant''s';

update applications set prompt_name = name from merchants m where m.id = merchant_id and m.status = 'approved';

-- The lock makes an application that comes at the moment of a suspension wait for it, and the other way round.
create function applications_copy_merchant_status() returns trigger language plpgsql as $$
begin
  select m.status in ('new', 'approved') into strict new.merchant_active
  from books b join merchants m on m.id = b.merchant_id where b.id = new.merchant_id for share of m;
  return new;
end $$;
create trigger applications_merchant_active before insert or update of merchant_active on applications
  for each row execute function applications_copy_merchant_status();

create function merchants_tell_applications() returns trigger language plpgsql as $$
begin
  update applications set merchant_active = new.status in ('new', 'approved')
  where merchant_id in (select id from books where merchant_id = new.id);
  return null;
end $$;
create trigger merchants_status_copied after update on merchants
  for each row when (old.status <> new.status) execute function merchants_tell_applications();

-- Invariant: a live key is only ever made for an approved merchant, in the merchant's own book.
create function application_keys_guard_live() returns trigger language plpgsql as $$
begin
  perform from merchants where id = new.merchant_id and status = 'approved' for share;
  if not found then
    raise exception 'merchant % is not approved for live keys', new.merchant_id using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
create trigger application_keys_live before insert on application_keys
  for each row when (new.mode = 'live') execute function application_keys_guard_live();

-- Invariant: an attempt begins on a payment that can be paid, of an application whose merchant may take money.
create or replace function payment_attempts_guard_opening() returns trigger language plpgsql as $$
declare
  allowed boolean;
begin
  select a.merchant_active and a.operator_stop_reason is null into allowed
  from payments p join applications a on a.merchant_id = p.merchant_id and a.id = p.application_id
  where p.merchant_id = new.merchant_id and p.id = new.payment_id and p.status = 'pending' and p.closing_reason is null
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
