curl "$MURIPO_URL/api/v1/refunds" \
  -H "Authorization: Bearer $MURIPO_KEY" \
  -H "Content-Type: application/json" \
  -H "Idempotency-Key: return-1001" \
  -d '{ "payment": "'"$PAYMENT_ID"'", "amount": 5, "reason": "One item returned" }'
