-- What is asked under a key may be committed before its answer is known: a refund is, while its provider is called. The row then
-- names what was done, so that the answer can be found by whoever asks again.
alter table idempotency_keys
  alter column status drop not null,
  alter column answer drop not null,
  add column subject_id uuid,
  add constraint idempotency_keys_answered check ((status is null) = (answer is null)),
  add constraint idempotency_keys_answerable check (answer is not null or subject_id is not null);

-- Rows that are over are found by going through the table, page by page: an index of their age would be paid by every payment.
drop index idempotency_keys_age;
