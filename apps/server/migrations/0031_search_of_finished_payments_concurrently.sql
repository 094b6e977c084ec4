-- The search reads pending payments from payments_by_kind: these indexes contain finished ones only, so that neither a create nor an attempt
-- writes an entry.
drop index concurrently if exists payments_by_phone;
create index concurrently payments_by_phone on payments (account_id, search_phone collate "C", id)
  where search_phone is not null and status <> 'pending';
drop index concurrently if exists payments_by_name;
create index concurrently payments_by_name on payments (account_id, lower(customer_name) collate "C")
  where customer_name is not null and status <> 'pending';
drop index concurrently if exists payments_by_surname;
create index concurrently payments_by_surname on payments (account_id, lower(split_part(customer_name, ' ', -1)) collate "C")
  where strpos(customer_name, ' ') > 0 and status <> 'pending';
drop index concurrently if exists payments_by_purpose;
create index concurrently payments_by_purpose on payments (account_id, lower(left(description, 60)) collate "C") where status <> 'pending';
