-- A merchant of a live gateway has two books: what is done with live keys, and what is tried with test keys. A book's id stands where
-- a merchant's does in every table of applications, payments and money, so that the wall between two merchants is also the one between
-- the two books, and nobody can forget to ask for the mode. The merchant's own id is the book of the gateway's own mode.
create table books (
  id          uuid primary key,
  merchant_id uuid not null references merchants (id)
);
create unique index books_one_for_tests on books (merchant_id) where id <> merchant_id;
create trigger books_append_only before update or delete on books for each row execute function refuse_change();
create trigger books_no_truncate before truncate on books for each statement execute function refuse_change();

insert into books (id, merchant_id) select id, id from merchants;

create function merchants_open_book() returns trigger language plpgsql as $$
begin
  insert into books (id, merchant_id) values (new.id, new.id);
  return null;
end $$;
create trigger merchants_have_a_book after insert on merchants for each row execute function merchants_open_book();

alter table applications
  drop constraint applications_merchant_id_fkey,
  add constraint applications_merchant_id_fkey foreign key (merchant_id) references books (id);
alter table ledger_accounts
  drop constraint ledger_accounts_merchant_id_fkey,
  add constraint ledger_accounts_merchant_id_fkey foreign key (merchant_id) references books (id);
alter table audit_log
  drop constraint audit_log_merchant_id_fkey,
  add constraint audit_log_merchant_id_fkey foreign key (merchant_id) references books (id);

-- Whether this database is of simulated or of real money: written once, and a gateway of the other mode does not start on it.
create table deployment (
  is_only boolean primary key default true check (is_only),
  mode    text    not null check (mode in ('test', 'live'))
);
create trigger deployment_append_only before update or delete on deployment for each row execute function refuse_change();
insert into deployment (mode) select mode from application_keys order by mode limit 1;
