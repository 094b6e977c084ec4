-- The earlier version finds its unanswered prompts by this index too.
create index concurrently payment_attempts_of_number on payment_attempts (msisdn, created_at)
  where msisdn is not null and (index_status = 'underway' or failure_reason is not null);
drop index concurrently if exists payment_attempts_unanswered;
