-- A person signs in: email, password, passkeys, devices and codes are those of a person. A merchant takes payments. A membership connects
-- the two with a role. The owner of each existing merchant becomes a person with the merchant's name, email and password.
create table persons (
  id            uuid        primary key,
  fullname      text        not null check (length(fullname) between 1 and 200),
  email         text        not null check (length(email) between 3 and 254),
  password_hash text        not null,
  locale        text        check (locale in ('en', 'sn', 'nd')),
  created_at    timestamptz not null,
  proven_at     timestamptz
);
comment on column persons.proven_at is 'The time at which the person first entered a mailed code; null until then';
comment on column persons.locale is 'Null for a person who has not chosen one: then it is the language of the browser';

-- Invariant: the proof of a person never changes.
create function persons_guard_proof() returns trigger language plpgsql as $$
begin
  raise exception 'person % is proven and stays so', new.id using errcode = 'restrict_violation';
end $$;
create trigger persons_guard_proof before update of proven_at on persons
  for each row when (old.proven_at is not null and old.proven_at is distinct from new.proven_at) execute function persons_guard_proof();

-- The applications limit the membership, never the role; null is all of them.
--
-- Invariant: a merchant has at most one owner, who is not limited.
create table memberships (
  merchant_id  uuid        not null references merchants (id) on delete cascade,
  person_id    uuid        not null references persons (id) on delete cascade,
  role         text        not null check (role in ('owner', 'admin', 'developer', 'finance', 'support', 'cashier', 'viewer')),
  applications uuid[]      check (cardinality(applications) between 1 and 50),
  created_at   timestamptz not null,
  last_seen_at timestamptz,
  primary key (merchant_id, person_id),
  constraint memberships_unlimited_owner check (role <> 'owner' or applications is null)
);
create unique index memberships_one_owner on memberships (merchant_id) where role = 'owner';
create index memberships_by_person on memberships (person_id);

insert into persons (id, fullname, email, password_hash, locale, created_at, proven_at)
select id, fullname, email, password_hash, locale, created_at, proven_at from merchants;
insert into memberships (merchant_id, person_id, role, created_at) select id, id, 'owner', created_at from merchants;

-- Invariant: an email has one person, in whatever case it is typed.
create unique index persons_email on persons (lower(email));
