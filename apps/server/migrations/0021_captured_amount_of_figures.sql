-- The captured amount of a payment for the dashboard's overview; null until the payment is completed.
create or replace view payment_figures as
select p.account_id, p.id, p.status, p.method, p.amount_minor, p.currency, p.created_at, a.name as application_name,
  p.refunded_minor,
  case when p.completed_at is not null then coalesce(p.captured_minor, p.amount_minor) end as captured_minor
from payments p
join applications a on a.account_id = p.account_id and a.id = p.application_id;
