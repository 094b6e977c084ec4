-- Applications cost nothing and each brings keys and webhook endpoints, so their number is limited. The merchant is locked: of two
-- applications that are created at once, the second is counted after the first. A lock on the environment's row would take the right to
-- update books, which the serving role lacks.
create function applications_refuse_more() returns trigger language plpgsql as $$
begin
  perform from books b join merchants m on m.id = b.merchant_id where b.id = new.merchant_id for no key update of m;
  if (select count(*) from applications where merchant_id = new.merchant_id) >= 50 then
    raise exception 'an account has at most 50 applications'
      using errcode = 'check_violation', constraint = 'applications_limit';
  end if;
  return new;
end $$;

create trigger applications_limit before insert on applications for each row execute function applications_refuse_more();
