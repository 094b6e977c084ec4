curl -X POST "https://pay.example.com/api/v1/payments" \
  -H "Authorization: Bearer mk_test_your_application_key" \
  -H "Content-Type: application/json" \
  -H "Idempotency-Key: order-1001" \
  -d '{
    "amount": 1000,
    "currency": "USD",
    "description": "Order 1001",
    "customer": {
      "email": "tariro@example.com",
      "name": "Tariro Moyo"
    },
    "success_url": "https://shop.example.com/thanks",
    "cancel_url": "https://shop.example.com/basket"
  }'
