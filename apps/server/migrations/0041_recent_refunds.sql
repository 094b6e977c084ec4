-- What was given back of a payment is told wherever the payment is: also among the latest on the dashboard.
create or replace view payment_figures as
select p.merchant_id, p.id, p.status, p.method, p.amount_minor, p.currency, p.created_at, a.name as application_name,
  p.refunded_minor
from payments p
join applications a on a.merchant_id = p.merchant_id and a.id = p.application_id;
