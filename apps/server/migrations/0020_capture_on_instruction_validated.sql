-- Validates the constraints of the migration before, beside writers. Rows of the earlier version satisfy them.
alter table payments validate constraint payments_status_check;
alter table payments validate constraint payments_refunds_within_amount;
alter table payments validate constraint payments_refunded_in_full;
alter table payments validate constraint payments_capture_mode;
alter table payments validate constraint payments_authorized;
alter table payments validate constraint payments_captured_when_paid;
alter table payments validate constraint payments_captured_within_amount;
alter table payment_attempts validate constraint payment_attempts_status_check;
