-- An endpoint is proven by its first 2xx. Until then it gets one delivery at a time, and failed attempts are counted: somebody may have
-- named an address whose owner wants nothing from us.
alter table webhook_endpoints
  add column proven_at timestamptz,
  add column failures_before_proof int not null default 0 check (failures_before_proof >= 0);
update webhook_endpoints w set proven_at = w.updated_at
where exists (
  select from webhook_deliveries d
  where d.merchant_id = w.merchant_id and d.endpoint_id = w.id and d.status = 'delivered');
