-- An integration of a merchant: one shop, one app. It has one row in each environment under one id.
create table applications (
  account_id           uuid        not null references environments (id),
  id                   uuid        not null,
  name                 text        not null check (length(name) between 1 and 100),
  description          text        not null check (length(description) between 1 and 2000),
  category             text        not null,
  status               text        not null default 'active' check (status in ('active', 'inactive')),
  merchant_active      boolean     not null default true,
  operator_stop_reason text        check (length(operator_stop_reason) between 1 and 300),
  prompt_name          text        check (length(prompt_name) between 1 and 100),
  bank_name            text,
  bank_account_number  text,
  bank_account_name    text,
  bank_account_type    text,
  bank_revision        integer     not null default 0,
  bank_changed_at      timestamptz,
  bank_rejection       text,
  name_approved        boolean     not null default false,
  created_at           timestamptz not null,
  updated_at           timestamptz not null,
  primary key (account_id, id),
  constraint applications_banking_whole check (
    num_nonnulls(bank_name, bank_account_number, bank_account_name, bank_account_type, bank_changed_at) in (0, 5)
  ),
  constraint applications_banking_one_verdict check (
    not (name_approved and bank_rejection is not null)
    and (bank_name is not null or (not name_approved and bank_rejection is null))
  )
);
comment on column applications.merchant_active is 'Whether the merchant is neither suspended nor closed; triggers overwrite the value of any statement';
comment on column applications.operator_stop_reason is 'The reason why the operator stopped this application; null when it is not stopped';
comment on column applications.prompt_name is 'The application''s name as the operator approved it; until then a prompt for live money shows the merchant''s name';
comment on column applications.bank_revision is 'The number of changes; an approval names the revision that the operator reviewed';
comment on column applications.bank_rejection is 'The reason why an operator rejected these details; null when they are not rejected';

-- Invariant: an application stays, with its id. Payments and events rely on it instead of a foreign key.
create trigger applications_no_delete before delete on applications for each row execute function refuse_change();
create trigger applications_keep_id before update of account_id, id on applications for each row
  when ((old.account_id, old.id) <> (new.account_id, new.id)) execute function refuse_change();

-- The applications that wait for an operator's review of their banking details, in the order of waiting.
create index applications_banking_waiting on applications (bank_changed_at)
  where bank_name is not null and not name_approved and bank_rejection is null;

-- Invariant: a verdict never passes from reviewed banking details to other ones. Payouts go to the account that the details name.
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

-- Invariant: an environment has at most 50 applications. An application costs nothing, and each brings keys and webhook endpoints. The lock
-- on the merchant orders two creates at once, so that the second is counted after the first. A lock on the environment's row would take the
-- right to update environments, which the serving role lacks.
create function applications_refuse_more() returns trigger language plpgsql as $$
begin
  perform from environments b join merchants m on m.id = b.merchant_id where b.id = new.account_id for no key update of m;
  if (select count(*) from applications where account_id = new.account_id) >= 50 then
    raise exception 'an account has at most 50 applications'
      using errcode = 'check_violation', constraint = 'applications_limit';
  end if;
  return new;
end $$;
create trigger applications_limit before insert on applications for each row execute function applications_refuse_more();

-- Invariant: merchant_active of an application is the status of its merchant. The statement that creates a payment reads the application's
-- row in any case, so it needs no second row. The lock makes an application that is created during a suspension wait for it, and the other
-- way round.
create function applications_copy_merchant_status() returns trigger language plpgsql as $$
begin
  select m.status in ('new', 'approved') into strict new.merchant_active
  from environments b join merchants m on m.id = b.merchant_id where b.id = new.account_id for share of m;
  return new;
end $$;
create trigger applications_merchant_active before insert or update of merchant_active on applications
  for each row execute function applications_copy_merchant_status();

create function merchants_copy_status() returns trigger language plpgsql as $$
begin
  update applications set merchant_active = new.status in ('new', 'approved')
  where account_id in (select id from environments where merchant_id = new.id);
  return null;
end $$;
create trigger merchants_copy_status after update on merchants
  for each row when (old.status <> new.status) execute function merchants_copy_status();

-- The colour and the logo of the payer's page, for live and for test payments alike. The gateway wrote the logo from the allowed parts of the
-- uploaded file; its hash is the name of its file.
create table application_brands (
  account_id     uuid not null,
  application_id uuid not null,
  colour         text check (colour ~ '^#[0-9a-f]{6}$'),
  logo           bytea check (length(logo) <= 4096),
  logo_type      text check (logo_type in ('image/svg+xml', 'image/webp')),
  logo_hash      text check (logo_hash ~ '^[0-9a-f]{32}$'),
  primary key (account_id, application_id),
  foreign key (account_id, application_id) references applications (account_id, id),
  constraint application_brands_logo_whole check (num_nonnulls(logo, logo_type, logo_hash) in (0, 3))
);
create index application_brands_by_logo on application_brands (logo_hash) where logo_hash is not null;

-- A key is found by a keyed hash. Its owner can read the text again from the encrypted form until the key is revoked. Neither column can be
-- opened without the master key.
create table application_keys (
  account_id     uuid        not null,
  application_id uuid        not null,
  id             uuid        not null,
  mode           text        not null check (mode in ('test', 'live')),
  lookup         bytea       not null check (length(lookup) = 32),
  encrypted      bytea,
  created_at     timestamptz not null,
  revoked_at     timestamptz,
  primary key (account_id, application_id, id),
  foreign key (account_id, application_id) references applications (account_id, id),
  constraint application_keys_active_is_encrypted check (revoked_at is not null or encrypted is not null)
);
-- Not unique: a unique key would contain the environment, which the holder of a key does not name. The checksums of random keys do not repeat.
create index application_keys_by_lookup on application_keys (lookup);
-- Invariant: an application has one active key in each mode.
create unique index application_keys_one_active on application_keys (account_id, application_id, mode)
  where revoked_at is null;

-- Invariant: a live key is only ever created for an approved merchant, in the merchant's own environment.
create function application_keys_guard_live() returns trigger language plpgsql as $$
begin
  perform from merchants where id = new.account_id and status = 'approved' for share;
  if not found then
    raise exception 'merchant % is not approved for live keys', new.account_id using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
create trigger application_keys_guard_live before insert on application_keys
  for each row when (new.mode = 'live') execute function application_keys_guard_live();

-- The columns that other modules may read of applications.
create view application_figures as
select account_id, id, created_at from applications;
