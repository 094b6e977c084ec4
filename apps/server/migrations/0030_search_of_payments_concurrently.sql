-- The search of the dashboard reads ranges of these texts: everything that begins with the typed one, in upper or lower case. "C" orders texts by
-- their characters in every database.
drop index concurrently if exists payments_by_phone;
create index concurrently payments_by_phone on payments (account_id, search_phone collate "C", id) where search_phone is not null;
drop index concurrently if exists payments_by_name;
create index concurrently payments_by_name on payments (account_id, lower(customer_name) collate "C") where customer_name is not null;
drop index concurrently if exists payments_by_surname;
create index concurrently payments_by_surname on payments (account_id, lower(split_part(customer_name, ' ', -1)) collate "C")
  where strpos(customer_name, ' ') > 0;
drop index concurrently if exists payments_by_purpose;
create index concurrently payments_by_purpose on payments (account_id, lower(left(description, 60)) collate "C");
drop index concurrently if exists payment_attempts_by_number;
create index concurrently payment_attempts_by_number on payment_attempts (account_id, msisdn collate "C", payment_id) where msisdn is not null;
