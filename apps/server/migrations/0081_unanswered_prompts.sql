-- The prompts that a phone number has not answered, over all merchants: those that are open, and those that ran out.
create index payment_attempts_unanswered on payment_attempts (msisdn, created_at)
  where status in ('sending', 'pending', 'unknown') or failure_reason = 'expired';
