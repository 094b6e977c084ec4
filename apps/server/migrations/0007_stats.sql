-- What the figures may read of payments and applications: their owners publish these views, and nothing else of theirs is read.
create view payment_figures as
select p.merchant_id, p.id, p.status, p.method, p.amount_minor, p.refunded_minor, p.currency, p.created_at, p.completed_at,
  a.name as application_name
from payments p
join applications a on a.merchant_id = p.merchant_id and a.id = p.application_id;

create view application_figures as
select merchant_id, count(*) as applications from applications group by merchant_id;
