drop index concurrently if exists refunds_sent_by_hand;
-- The refund desk: what operators have confirmed, and what came back.
create index concurrently refunds_sent_by_hand on refunds (id) where status = 'completed' and provider_status = 'paid by the operator';
drop index concurrently if exists refunds_bounced_by_id;
create index concurrently refunds_bounced_by_id on refunds (id) where bounced_at is not null;
