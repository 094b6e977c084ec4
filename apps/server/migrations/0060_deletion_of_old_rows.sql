-- A book goes with its merchant and in no other way. The cascade runs as the owner of the table, so the serving role needs no right to
-- delete books.
alter table books
  drop constraint books_merchant_id_fkey,
  add constraint books_merchant_id_fkey foreign key (merchant_id) references merchants (id) on delete cascade;

create or replace function books_guard() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' and not exists (select from merchants where id = old.merchant_id) then
    return old;
  end if;
  raise exception '% is append-only: % refused', tg_table_name, tg_op using errcode = 'restrict_violation';
end $$;

-- Sessions and codes are pruned long after their end; the audit log keeps what they did.
alter table refresh_tokens
  drop constraint refresh_tokens_merchant_id_session_id_fkey,
  add constraint refresh_tokens_merchant_id_session_id_fkey
    foreign key (merchant_id, session_id) references sessions (merchant_id, id) on delete cascade;
alter table one_time_codes
  drop constraint one_time_codes_resend_of_fkey,
  add constraint one_time_codes_resend_of_fkey foreign key (resend_of) references one_time_codes (id) on delete set null;

create index sessions_expires_at on sessions (expires_at);
create index one_time_codes_created_at on one_time_codes (created_at);
