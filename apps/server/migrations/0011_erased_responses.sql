-- Invariant: an instruction never changes. Its stored response is removed with the customer whom it names.
create or replace trigger capture_instructions_keep_facts before update on capture_instructions for each row
  when ((old.account_id, old.payment_id, old.attempt_id, old.kind, old.amount_minor, old.currency, old.created_at)
    is distinct from (new.account_id, new.payment_id, new.attempt_id, new.kind, new.amount_minor, new.currency, new.created_at)
    or (old.response is not null and new.response is not null and new.response is distinct from old.response))
  execute function capture_instructions_keep_facts();
