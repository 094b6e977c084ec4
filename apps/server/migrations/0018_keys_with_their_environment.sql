-- The indexes of the migration before answer the same statements.
alter table application_keys drop constraint application_keys_lookup_key;
alter table events_to_relay drop constraint events_to_relay_pkey;
-- A code leads to its environment, so its table is read before the environment is known. Payments are not deleted.
alter table resume_codes drop constraint resume_codes_account_id_payment_id_fkey;
