-- Indexes in place of unique keys without the environment, which cannot be distributed over several nodes (decision 156). Ids, checksums of
-- random keys and numbers of a sequence do not repeat, and no statement relies on these keys being unique.
drop index concurrently if exists application_keys_by_lookup;
create index concurrently application_keys_by_lookup on application_keys (lookup);
drop index concurrently if exists events_to_relay_in_order;
create index concurrently events_to_relay_in_order on events_to_relay (seq);
drop index concurrently if exists refunds_by_id_alone;
create index concurrently refunds_by_id_alone on refunds (id);
drop index concurrently if exists refunds_by_id;
