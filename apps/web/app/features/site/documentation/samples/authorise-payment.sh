curl "$MURIPO_URL/api/v1/payments" \
  -H "Authorization: Bearer $MURIPO_KEY" \
  -H "Content-Type: application/json" \
  -H "Idempotency-Key: order-1004" \
  -d '{
    "amount": 25, "currency": "USD",
    "description": "Order 1004", "capture": "manual"
  }'
