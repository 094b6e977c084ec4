-- Who did what to what, when and from where. A row is written in the transaction of the deed itself and stays as it is.
create table audit_log (
  id          uuid        primary key,
  at          timestamptz not null,
  actor_kind  text        not null check (actor_kind in ('merchant', 'operator')),
  actor       text        not null check (length(actor) between 1 and 100),
  merchant_id uuid        references merchants (id),
  action      text        not null check (action ~ '^[a-z_]+\.[a-z_]+$'),
  subject     text        not null check (length(subject) between 1 and 100),
  address     text,
  request_id  text,
  details     jsonb       not null check (jsonb_typeof(details) = 'object')
);

comment on column audit_log.merchant_id is 'Whose things were touched; null when they are no merchant''s';

create index audit_log_by_merchant on audit_log (merchant_id, id);
create index audit_log_by_subject on audit_log (subject, id);

create trigger audit_log_append_only before update or delete on audit_log
  for each row execute function refuse_change();
create trigger audit_log_no_truncate before truncate on audit_log
  for each statement execute function refuse_change();

alter table applications
  add column bank_name text,
  add column bank_revision integer not null default 0,
  add column bank_changed_at timestamptz,
  add column bank_rejection text,
  add constraint applications_banking_whole check (
    num_nonnulls(bank_name, bank_account_number, bank_account_name, bank_account_type, bank_changed_at) in (0, 5)
  ),
  add constraint applications_banking_one_verdict check (
    not (name_approved and bank_rejection is not null)
    and (bank_name is not null or (not name_approved and bank_rejection is null))
  );

comment on column applications.bank_revision is 'Counts the changes: whoever approves names the one that was looked at';
comment on column applications.bank_rejection is 'Why an operator did not approve these details; null when none has refused them';

-- Money goes where these details say, so no verdict may pass from details that were looked at to others.
create function applications_guard_banking() returns trigger language plpgsql as $$
begin
  if (new.bank_name, new.bank_account_number, new.bank_account_name, new.bank_account_type)
    is distinct from (old.bank_name, old.bank_account_number, old.bank_account_name, old.bank_account_type)
  then
    if new.bank_revision <> old.bank_revision + 1 or new.name_approved or new.bank_rejection is not null then
      raise exception 'changed banking details are a new revision without a verdict' using errcode = 'check_violation';
    end if;
  elsif new.bank_revision <> old.bank_revision then
    raise exception 'a new revision needs other banking details' using errcode = 'check_violation';
  end if;
  return new;
end $$;

create trigger applications_guard_banking before update on applications
  for each row execute function applications_guard_banking();

-- What waits for an operator's verdict, by how long.
create index applications_banking_waiting on applications (bank_changed_at)
  where bank_name is not null and not name_approved and bank_rejection is null;
